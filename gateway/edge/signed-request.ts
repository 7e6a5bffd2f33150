import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit } from './charge.js';
import { proveClaim, readClaim } from './signature.js';

/**
 * Checks the headers of a signed request, so that an unknown client is refused before the body is read. The signature is
 * verified over the body's bytes as soon as they are complete, before anything parses them.
 * @throws {ApiError} PUBLIC_KEY_NOT_REGISTERED, EXPIRED_TIMESTAMP, INVALID_SIGNATURE
 */
export async function checkSignedHead(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { edge: state } = request;
  const { callers, parts } = request.server.edgeMaker;
  state.unproved = true;
  const claim = await readClaim(request, callers.findClient, parts.clock);
  state.hash = claim.hash;
  state.prove = async () => {
    state.prove = undefined;
    state.hash = undefined;
    state.principal = proveClaim(claim);
    state.unproved = false;
    state.signature = claim.signature;
    await admit(request, reply);
  };
}

/** Verifies a signed request whose body no parser read. With a callback: the many requests without a signature do not wait for a promise. */
export function proveUnparsed({ edge }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (edge.prove === undefined) done();
  else edge.prove().then(() => done(), done);
}
