/** A credential, or a function that returns it for each request. */
export type Secret = string | (() => string | Promise<string>);

/** What hooks get of a request: no headers and no bodies, which hold secrets. */
export interface RequestInfo {
  readonly operationId: string;
  readonly method: string;
  readonly url: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
}

/** What hooks get of a response. */
export interface ResponseInfo extends RequestInfo {
  /** Undefined where there was no response. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** Requests left in the window of the rate limit. */
  readonly rateLimitRemaining: number | undefined;
  /** Query parameters that the server does not know. */
  readonly ignoredParameters: string | undefined;
  /** Whether this is the stored response of an earlier request with the same idempotency key. */
  readonly isReplayed: boolean;
  readonly durationMs: number;
}

export interface ClientOptions {
  /** Address of the server without a path, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /** API key (`svcpub_…`), for operation data. */
  readonly apiKey?: Secret | undefined;
  /** Key of a developer (`svc_dev_…`), for webhooks and token contracts. */
  readonly developerKey?: Secret | undefined;
  /** Session token of an account (`account.login`), for `account` and `apiKeys`. */
  readonly session?: Secret | undefined;
  /** An originator's client, for `creditAssignment`: every request is signed. The key is RSA in PEM. */
  readonly originator?: { readonly clientId: string; readonly privateKey: string } | undefined;
  /** A company's credential, for `trading`: the client logs in and refreshes its tokens. */
  readonly trading?: { readonly apiKey: string; readonly secretKey: string } | undefined;
  /** Profile of the company for which trading calls act; the company itself when omitted. */
  readonly profileId?: string | undefined;
  /** Whether trading calls are simulated; false when omitted. */
  readonly synthetic?: boolean | undefined;
  /** How long one attempt may take, in milliseconds; 30,000 when omitted. */
  readonly timeoutMs?: number | undefined;
  /** Longest body of a response in bytes, decompressed; 64 MiB when omitted. A longer one rejects the call. CSV, which the caller reads, has no limit. */
  readonly maxResponseBytes?: number | undefined;
  readonly retry?: RetryOptions | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  readonly onRequest?: ((request: RequestInfo) => void) | undefined;
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
}

export interface RetryOptions {
  /** Further attempts after the first one; 4 when omitted, 0 for none. */
  readonly maxRetries?: number | undefined;
  /** Wait before the first retry, in milliseconds; 250 when omitted. Each further wait is twice as long, 8 seconds at most. */
  readonly backoffMs?: number | undefined;
  /** Longest `Retry-After` that is waited for, in seconds; 60 when omitted. A longer one rejects the call. */
  readonly maxRetryAfterSeconds?: number | undefined;
}
