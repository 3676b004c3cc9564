import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** Standard events without products of their own. https://developers.facebook.com/docs/meta-pixel/reference */
const SIMPLE = [
  ...['Lead', 'CompleteRegistration', 'Contact', 'CustomizeProduct', 'Donate', 'FindLocation', 'Schedule'],
  ...['StartTrial', 'SubmitApplication', 'Subscribe', 'PageView'],
];

interface Naming<Standard> {
  /** Standard events by the names of the e-commerce vocabulary, in lower case. */
  commerce: Readonly<Record<string, Standard>>;
  /** More names of Facebook's, of events whose products nobody looks up. */
  simple?: readonly string[];
  /** An event that bears a name of Facebook's is that standard event. Otherwise only the configuration makes it one. */
  areOwnNames?: boolean;
}

export interface NamedEvent<Standard> {
  /** As Facebook is told it. */
  name: string;
  /** The standard event of the e-commerce vocabulary. */
  standard?: Standard;
  /** Facebook knows the name. */
  isStandard?: boolean;
}

/** The standard event of a configured or an e-commerce name. Any other event keeps its own name, and is not standard. */
export function standardEvent<Standard extends { name: string }>(
  event: JsonObject,
  config: JsonObject,
  { commerce, simple = [], areOwnNames = false }: Naming<Standard>,
): NamedEvent<Standard> {
  const name = kit.eventName({ event: kit.onlyText(event['event']) });
  const wanted =
    lastMapped(config, 'eventsToEvents', (from) => from.toLowerCase() === name.toLowerCase()) ??
    (areOwnNames ? name : name.toLowerCase());
  const standard =
    kit.lookedUp(commerce, wanted.toLowerCase()) ?? Object.values(commerce).find((one) => one.name === wanted);
  if (standard) return { name: standard.name, standard, isStandard: true };
  const isStandard = [...SIMPLE, ...simple].includes(wanted);
  return { name: isStandard ? wanted : name, isStandard };
}

/** The last `to` whose `from` is accepted. */
const lastMapped = (config: JsonObject, list: string, isFrom: (from: string) => boolean): string | undefined =>
  kit
    .configList(config, list)
    .map(({ from, to }) => [kit.toText(from) ?? '', kit.toText(to) ?? ''] as const)
    .findLast(([from, to]) => from !== '' && to !== '' && isFrom(from))?.[1];

/** Accepts `$12.3` and rounds to cents. Facebook refuses a value that is not a number. */
export function amount(given: unknown, path = 'properties.revenue'): number {
  const value = kit.toNumber(typeof given === 'string' ? given.trim().replace(/^\$/, '') : given);
  return value === undefined ? kit.refuse(`${path} must be a number`) : Math.round(value * 100) / 100;
}

interface Products {
  /** The objects that are products. */
  items: readonly JsonObject[];
  /** Quantity, price and delivery of every product that does not say its own. */
  shared: JsonObject;
}

/** Products that have an id. */
export function contentsOf({ items, shared }: Products): JsonObject[] {
  return items
    .map((item) => {
      const told = (key: string) => kit.firstAt([item[key], shared[key]], ['0', '1']);
      return kit.compact({
        id: kit.firstAt(item, kit.PRODUCT_ID),
        item_price: told('price'),
        quantity: told('quantity') ?? 1,
        delivery_category: told('delivery_category'),
      });
    })
    .filter(({ id }) => id !== undefined);
}

/** A list without products is known by its category, as one product. */
export const contentsOfCategory = (category: unknown): JsonObject[] => [{ id: category, quantity: 1 }];

/** That of the event, of its options, or as configured for the category of the event or of its first product. */
export function contentType(properties: JsonObject, config: JsonObject, options: JsonObject): unknown {
  const category = kit.firstAt(properties, ['category', 'products.0.category']);
  const own = kit.firstAt(properties, 'content_type');
  return own ?? (options['contentType'] || lastMapped(config, 'categoryToContent', (from) => from === category));
}

/** A list of categories as one text. */
export function categoryText(category: unknown): string | undefined {
  const texts = Array.isArray(category) ? category : [category];
  return texts.map((one) => kit.toText(plain('category', one)) ?? '').join(',') || undefined;
}

/** Refuses a property that is neither a text nor a number. */
export const plain = (key: string, value: unknown): unknown =>
  isJsonObject(value) || Array.isArray(value) ? kit.refuse(`properties.${key} must be a text`) : value;
