import type { DestinationKind } from '../kind.js';
import { slackDefinition } from './slack.definition.js';
import { slackTransform } from './slack.transform.js';

/** Posted messages stay, because Slack has no deletion by user. */
export const slack: DestinationKind = { definition: slackDefinition, transform: slackTransform };
