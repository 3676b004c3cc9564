import { DestinationTestResult, isJsonObject, JsonObject, MESSAGE_TYPES, StageFlags } from '@weir/contracts';
import { z } from 'zod';

/** Any text: an id that cannot be one is not found, and that comes after the checks of the body (wire-facts 3.2). */
export const TestPath = z.object({ id: z.string() });
export type TestPath = z.output<typeof TestPath>;

/** Only `true` forces, whatever else is given. */
export const TestQuery = z.object({
  force: z
    .string()
    .optional()
    .meta({ description: '`true` tests what is disabled' })
    .transform((force) => force === 'true'),
});
export type TestQuery = z.output<typeof TestQuery>;

/** Without a stage both transformations run and nothing is sent; a flag that is left out is false (ruling 18). */
const stage = StageFlags.default({ user_transform: true, dest_transform: true, send_to_destination: false });

/** Whatever is no event lacks its type, and that has its own words. */
const message = z
  .unknown()
  .optional()
  .transform((value): JsonObject => (isJsonObject(value) ? value : {}))
  .meta({ type: 'object', required: ['type'], properties: { type: { enum: [...MESSAGE_TYPES] } } });

export const TestSourceBody = z.object({ message, stage });
export type TestSourceBody = z.output<typeof TestSourceBody>;

/** `destinationConfig` overrides the stored configuration for this request only (spec 4.3 rule 5). */
export const TestDestinationBody = TestSourceBody.extend({ destinationConfig: JsonObject.optional() });
export type TestDestinationBody = z.output<typeof TestDestinationBody>;

export const TestSourceResults = z.array(DestinationTestResult);
