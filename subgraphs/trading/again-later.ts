/** Advice after a temporary rejection: the response to a 4xx is stored for its idempotency key, so the same key would receive it again. */
export const againLater =
  'Try again later, with another idempotency key: this response is kept for the one that was sent';
