import type { DestinationKind } from '../kind.js';
import { discordDefinition } from './discord.definition.js';
import { discordTransform } from './discord.transform.js';

/** Posted messages stay, because a webhook cannot delete by user. */
export const discord: DestinationKind = { definition: discordDefinition, transform: discordTransform };
