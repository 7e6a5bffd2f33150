import { atPlaces, type ChangeResponse } from '../gateway/at-places.js';

/**
 * Returns a function that leaves out the fields at the given places (`nextToken`, `items.interestPercentage`) where they have no value: the contract
 * calls a few fields absent, and every other one is `null`.
 */
export function leaverOut(places: readonly string[]): ChangeResponse {
  return atPlaces(places, (object, name) => {
    if (Reflect.get(object, name) === null) Reflect.deleteProperty(object, name);
  });
}
