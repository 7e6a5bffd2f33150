import { getOperationAST, OperationTypeNode } from 'graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { outcomeUnknown } from '../../../shared/kernel/outcome-unknown.js';
import type { GraphRequest } from '../../../shared/graphql/executor.js';
import { codeOf } from '../../../shared/kernel/thrown.js';

/** A response other than 200. A subgraph reports the errors of what it has executed with 200, so it has executed nothing where it refuses. */
export class UnexpectedStatus extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** In seconds; undefined where the response does not say when to try again. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }

  /** Whether nothing was executed. A 503 without Retry-After may be of a proxy that has lost the subgraph meanwhile. */
  get isRefusal(): boolean {
    return (this.status >= 400 && this.status < 500) || (this.status === 503 && this.retryAfterSeconds !== undefined);
  }
}

/** Errors of a connection that could not be made. */
const unconnected = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns the error for a call without a result. A mutation that was sent and not refused may have been executed: the caller must learn that. */
export function lostCall(cause: unknown, { document }: GraphRequest, { idempotency }: Context): ApiError {
  const changes = getOperationAST(document)?.operation === OperationTypeNode.MUTATION;
  return changes && mayBeExecuted(cause)
    ? outcomeUnknown('another process of the service', idempotency, cause)
    : unavailable(cause);
}

/** Returns the error for a call that has certainly changed nothing. */
export function unavailable(cause: unknown): ApiError {
  const { retryAfterSeconds = 1 } = cause instanceof UnexpectedStatus ? cause : {};
  return new ApiError('UNAVAILABLE', { retryAfterSeconds, cause });
}

function mayBeExecuted(cause: unknown): boolean {
  if (cause instanceof UnexpectedStatus) return !cause.isRefusal;
  // A host can become unreachable while its response is awaited, too.
  return !unconnected.has(codeOf(cause) ?? '') || isOfOpenConnection(cause);
}

function isOfOpenConnection(cause: unknown): boolean {
  return cause instanceof Error && 'syscall' in cause && (cause.syscall === 'read' || cause.syscall === 'write');
}
