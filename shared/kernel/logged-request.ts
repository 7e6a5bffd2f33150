import type { Principal } from './context.js';

/** The edge's record of an ended request. The caller chose nothing in it but the id. */
export interface EndedRequest {
  readonly principal: Pick<Principal, 'kind' | 'id' | 'ownerId'>;
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** A code of the registry of errors. */
  readonly errorCode: string | undefined;
  readonly durationMs: number;
  /** Size of the response body. */
  readonly bytes: number | undefined;
}

/** Takes note of a request that has ended; must not wait, and must not fail. */
export type NoteRequest = (request: EndedRequest) => void;
