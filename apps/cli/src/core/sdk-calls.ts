/** A declaration that the server writes for each event model. Its comment is the type and the name of the event, as a JSON text. */
const DECLARATION = /^\/\*\* (".*") \*\/\nexport type (\S+) =/gm;

/**
 * Adds types for the calls of an SDK to the types of observed events. With them, the compiler refuses an event that nobody has sent
 * before, and a property of another type.
 */
export function withSdkCalls(types: string): string {
  const declared = [...types.matchAll(DECLARATION)].map(([, comment = '', name = '']) => ({
    event: JSON.parse(comment) as string,
    name,
  }));
  const track = declared.filter(({ event }) => event.startsWith('track '));
  const lines = track.map(({ event, name }) => `  ${JSON.stringify(event.slice('track '.length))}: ${name};\n`);
  const traitsOf = (type: string) => {
    const name = declared.find(({ event }) => event === type)?.name;
    return name ? `TraitsOf<${name}>` : 'Record<string, unknown>';
  };
  return `${types.trimEnd()}

/** Observed \`track\` events, by name. */
export type TrackEvents = {
${lines.join('')}};

type PropertiesOf<Event> = Event extends { properties?: infer Properties } ? Properties : Record<string, never>;
type TraitsOf<Event> = Event extends { traits?: infer Traits }
  ? Traits
  : Event extends { context?: { traits?: infer Traits } }
    ? Traits
    : Record<string, unknown>;

/** Calls of an SDK. For example: \`const analytics: SdkCalls = new Analytics(…)\`. */
export interface SdkCalls {
  track<Name extends keyof TrackEvents>(event: Name, properties: PropertiesOf<TrackEvents[Name]>): void;
  identify(userId: string, traits?: ${traitsOf('identify')}): void;
  group(groupId: string, traits?: ${traitsOf('group')}): void;
}
`;
}
