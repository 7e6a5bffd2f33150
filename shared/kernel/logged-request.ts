import type { Principal } from './context.js';

/** What the edge knows of a request that has ended. Nothing of it was chosen by the caller but the id. */
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
