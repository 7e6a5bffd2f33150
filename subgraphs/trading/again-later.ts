/** What to do about a refusal that passes: the response to a 4xx is kept for its idempotency key, so that the same key gets it again. */
export const againLater =
  'Try again later, with another idempotency key: this response is kept for the one that was sent';
