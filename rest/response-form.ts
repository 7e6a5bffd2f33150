import { atPlaces, flattenAt, type ChangeResponse } from '../gateway/at-places.js';
import { markedPlaces, type SelectedValue } from '../gateway/json-schema/marked-places.js';

/** Brings a response into the documented form, in place. */
export type Form = ChangeResponse;

/** Returns the function that makes the documented form of a response out of the graph's result, as the operation's file says by directives. */
export function formOf(response: SelectedValue): Form {
  const forms = [
    // The places of the others are those of a flattened response.
    flattenAt(markedPlaces(response, 'flatten')),
    atPlaces(markedPlaces(response, 'omitNull'), leaveOut),
    atPlaces(markedPlaces(response, 'number'), toNumber),
    atPlaces(markedPlaces(response, 'lowerCase'), toLowerCase),
  ];
  return (value) => {
    for (const form of forms) form(value);
  };
}

/** The contract calls a few fields absent where they have no value, and every other one is `null`. */
function leaveOut(owner: object, name: string): void {
  if (Reflect.get(owner, name) === null) Reflect.deleteProperty(owner, name);
}

/** The contract has a few decimals as JSON numbers. A decimal of up to 15 digits is exact as one. */
function toNumber(owner: object, name: string): void {
  const value: unknown = Reflect.get(owner, name);
  if (typeof value === 'string') Reflect.set(owner, name, Number(value));
}

/** The contract has the values of a few enums in lower case. */
function toLowerCase(owner: object, name: string): void {
  const value: unknown = Reflect.get(owner, name);
  if (typeof value === 'string') Reflect.set(owner, name, value.toLowerCase());
}
