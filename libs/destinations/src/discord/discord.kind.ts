import type { DestinationKind } from '../kind.js';
import { discordDefinition } from './discord.definition.js';
import { discordTransform } from './discord.transform.js';

/** Messages that were posted stay: a webhook cannot delete by user. */
export const discord: DestinationKind = { definition: discordDefinition, transform: discordTransform };
