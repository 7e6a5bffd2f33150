/** Advice after a temporary rejection: the response to a 4xx is stored for its idempotency key, so the same key would receive it again. */
export const againLater =
  'Try again later with another idempotency key, because this response is stored for the current one';
