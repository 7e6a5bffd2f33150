import { typesWithoutId } from './schema-types.js';

/**
 * The fields by which a normalized cache keeps objects, where that is not `id`. A type that is not named here is identified by its `id`; if it has none, it has no
 * identity, and is kept within the object that contains it. Why: `README.md`, "What is a key".
 */
const keyFields: Readonly<Record<string, readonly string[]>> = {
  EligibilityCriteria: ['patrimonyId'],
  Order: ['orderId'],
  // A profile has two wallets, a real and a synthetic one, and shows the one of the mode in which it is read.
  Profile: ['walletId'],
  Quote: ['quoteId'],
  WebhookEvent: ['name'],
};

/** Types with an `id` that a cache must not keep, since they contain a secret that is shown once. */
const secrets: readonly string[] = [
  'CreatedApiKey',
  'CreatedDeveloperKey',
  'CreatedOperatorKey',
  'CreatedTradingCredential',
  'WebhookWithSecret',
];

/** The fields that identify the objects of each type that its `id` does not identify; none for a type without an identity. */
export const identities: readonly (readonly [type: string, fields: readonly string[]])[] = [
  ...new Set([...typesWithoutId, ...Object.keys(keyFields), ...secrets]),
].map((type) => [type, keyFields[type] ?? []]);
