/** An event to begin with. */
export const EXAMPLE_EVENT = {
  type: 'track',
  userId: 'ada',
  event: 'Bought',
  properties: { price: 12.5, coupon: 'SPRING' },
  context: { traits: { email: 'ada@example.com' } },
};

/** Where forms keep the event that a person chose to test with (see kept.ts). */
const PLACE = 'weir.typed.test event';

/** Takes an event that was seen live into the forms that test. */
export const takeAsTestEvent = (event: unknown): void =>
  sessionStorage.setItem(PLACE, JSON.stringify(JSON.stringify(event, null, 2)));
