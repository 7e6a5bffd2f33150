import type { FastifyReply, FastifyRequest } from 'fastify';
import { standingHeaders } from '../reply/headers.js';
import { demand, type Bucket } from './limiter.js';
import { pointsOfBytes } from './points.js';
import { bucketOf, type BucketName } from '../route-policy.js';
import { isGzip } from '../body/text-body.js';

/**
 * Charges points to a bucket, and reports its state in the headers of the response.
 * @throws {ApiError} TOO_MANY_REQUESTS
 */
export async function charge(request: FastifyRequest, reply: FastifyReply, bucket: Bucket, points = 1): Promise<void> {
  const { limiter, gate, delayRefusal, callers } = request.server.edgeMaker;
  const standing = await limiter.take(bucket, points);
  request.edge.standing = standing;
  reply.headers(standingHeaders(standing));
  if (standing.allowed) request.edge.charged += points;
  if (points === 0 || standing.allowed) return;
  callers.noteRefusal(request.edge.principal);
  const delay = delayRefusal(bucket);
  if (delay !== undefined) {
    // While its refusal is delayed, the request occupies nothing that others could use.
    gate.leave(request.raw);
    await delay;
  }
  demand(standing);
}

/**
 * Charges further points to the request's own bucket, for an interface that learns the cost of a request only later.
 * @throws {ApiError} TOO_MANY_REQUESTS
 */
export async function spendMore(request: FastifyRequest, reply: FastifyReply, points: number): Promise<void> {
  await charge(request, reply, ownBucket(request), points);
}

/** Corrects what the request was charged, upwards or downwards, once its true cost is known. Never refuses it. */
export async function correctCharge(request: FastifyRequest, reply: FastifyReply, points: number): Promise<void> {
  const { standing } = request.edge;
  if (standing === undefined) return;
  const corrected = await request.server.edgeMaker.limiter.correct(ownBucket(request), points, standing);
  request.edge.standing = corrected;
  request.edge.charged += points;
  reply.headers(standingHeaders(corrected));
}

/** How many bytes of a response cost as much as one of a body: who polls a large batch each second is within the default limit. */
const responseShare = 16;

/** Charges the response of a read by its length where that is more than the request was charged: a point for each MiB begun. Never refuses it. */
export async function payForResponse(request: FastifyRequest, reply: FastifyReply, length: number): Promise<void> {
  const { limit } = ownBucket(request);
  const more = pointsOfBytes(request.edge.rules.bucket, length / responseShare, limit) - request.edge.charged;
  if (more > 0) await correctCharge(request, reply, more);
}

/**
 * Admits the request of an identified caller: it is charged to the bucket of its route, and a longer one costs more. What the head does not announce is
 * charged once it is known: a body without a length, and the decompressed bytes of a compressed one.
 * @throws {ApiError} TOO_MANY_REQUESTS
 */
export async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { rules, principal } = request.edge;
  if (rules.bucket === 'unmetered') await charge(request, reply, ownBucket(request), 0);
  else await chargeBySize(request, reply, rules.bucket);
  if (rules.passive !== true) request.server.edgeMaker.callers.touch(principal);
}

async function chargeBySize(request: FastifyRequest, reply: FastifyReply, name: BucketName): Promise<void> {
  const bucket = ownBucket(request);
  const pointsOf = (bodyBytes: number) => pointsOfBytes(name, bodyBytes + request.url.length, bucket.limit);
  const announced = request.rawBody?.length ?? Number(request.headers['content-length'] ?? 0);
  let paid = pointsOf(Math.min(announced, request.routeOptions.bodyLimit));
  await charge(request, reply, bucket, paid);
  const payUpTo = async (bodyBytes: number) => {
    const more = pointsOf(bodyBytes) - paid;
    if (more <= 0) return;
    await charge(request, reply, bucket, more);
    paid += more;
  };
  if (announced === 0 && request.headers['transfer-encoding'] !== undefined) request.edge.payForBody = payUpTo;
  if (isGzip(request)) request.edge.payForUnpacked = payUpTo;
}

function ownBucket(request: FastifyRequest): Bucket {
  const { rules, principal } = request.edge;
  return bucketOf(rules.bucket, request.server.edgeMaker.rateLimits, principal, request.ip);
}
