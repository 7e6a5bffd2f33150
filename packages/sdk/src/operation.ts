/** The credential that a path needs. */
export type CredentialKind = 'apiKey' | 'apiKeyBearer' | 'developerKey' | 'session' | 'accessToken' | 'signature';

/** A path of the REST interface, as the transport needs it. */
export interface Operation<Result, Item = never> {
  /** `operationId` of the OpenAPI text. */
  readonly id: string;
  readonly method: string;
  /** Path with `{name}` for its parameters. */
  readonly path: string;
  /** The credentials that the path accepts; none for a public path. */
  readonly credentials: readonly CredentialKind[];
  readonly query: readonly string[];
  readonly headers: readonly string[];
  /** Whether the path takes an idempotency key. */
  readonly takesKey: boolean;
  /** Whether the body has the fields of the input, or is its `body`. */
  readonly body?: 'fields' | 'whole';
  /** Places of decimals that the body holds as JSON numbers, such as `contracts[].faceValue`. */
  readonly decimals?: readonly string[];
  /** The textual form of the body: its media type, and the parameters of the query beside it. */
  readonly text?: { readonly type: string; readonly query: readonly string[] };
  /** How a list is paged, and which property holds its items. */
  readonly paging?: Paging;
  /** Type of the response; never set. */
  readonly result?: Result;
  /** Type of the items of a list; never set. */
  readonly item?: Item;
}

export interface Paging {
  readonly form: 'token' | 'page';
  readonly items: string;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, its retries and its waits; the call is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Key under which a write is done once, `^[A-Za-z0-9_-]{1,64}$`; the client makes one for each call when omitted. */
  readonly idempotencyKey?: string | undefined;
  /** Id of the request for the logs of both sides, `^[A-Za-z0-9._:-]{1,64}$`. */
  readonly requestId?: string | undefined;
  /** Profile for which a trading call acts, in place of that of the client. */
  readonly profileId?: string | undefined;
  /** Whether a trading call is simulated, in place of the setting of the client. */
  readonly synthetic?: boolean | undefined;
}
