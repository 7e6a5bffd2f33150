import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../../shared/kernel/context.js';
import { standingHeaders } from '../reply/headers.js';
import { bucketOf, type BucketName } from '../route-policy.js';
import { demand, type Bucket } from './limiter.js';

/** Charges points and reports the bucket in headers. @param principal the caller to name in the error @throws {ApiError} TOO_MANY_REQUESTS */
export async function charge(
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: Bucket,
  points = 1,
  principal = request.edge.principal,
): Promise<void> {
  const { limiter, gate, delayRefusal, callers } = request.server.edgeMaker;
  const standing = await limiter.take(bucket, points);
  request.edge.standing = standing;
  reply.headers(standingHeaders(standing));
  if (standing.allowed) request.edge.charged += points;
  if (points === 0 || standing.allowed) return;
  callers.noteRefusal(principal);
  const delay = delayRefusal(bucket);
  if (delay !== undefined) {
    // While its refusal is delayed, the request occupies nothing that others could use.
    gate.leave(request.raw);
    await delay;
  }
  demand(standing);
}

/** Charges further points to the request's own bucket, for an interface that learns the cost of a request only later. @throws {ApiError} TOO_MANY_REQUESTS */
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

/** Charges a body by the total number of its bytes, as far as they were not charged yet. @throws {ApiError} TOO_MANY_REQUESTS */
export type PayUpTo = (bodyBytes: number) => Promise<void>;

/**
 * Charges the request to the bucket of its route. @param bodyBytes known length of its body @throws {ApiError} TOO_MANY_REQUESTS
 * @returns charges what becomes known later: the length of an unannounced body, or its decompressed bytes
 */
export async function chargeCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
  bodyBytes: number,
): Promise<PayUpTo> {
  const { callers } = request.server.edgeMaker;
  const { bucket: name, passive = false } = request.edge.rules;
  const bucket = ownBucket(request, principal);
  const isFree = name === 'unmetered';
  const pointsOf = (bytes: number) => (isFree ? 0 : pointsOfBytes(name, bytes + request.url.length, bucket.limit));
  let paid = pointsOf(Math.min(bodyBytes, request.routeOptions.bodyLimit));
  await charge(request, reply, bucket, paid, principal);
  if (!passive) callers.touch(principal);
  return async (bytes) => {
    const more = pointsOf(bytes) - paid;
    if (more <= 0) return;
    await charge(request, reply, bucket, more, principal);
    paid += more;
  };
}

function ownBucket(request: FastifyRequest, principal = request.edge.principal): Bucket {
  return bucketOf(request.edge.rules.bucket, request.server.edgeMaker.rateLimits, principal, request.ip);
}

const kibibyte = 1_024;

/** Bytes that one point of a bucket pays for: GraphQL has many small points, in the documented limits a point is a request. */
const bytesPerPoint = { graphql: kibibyte, others: 64 * kibibyte } as const;
/** Bytes of a GraphQL request that its first point pays for. */
const graphqlFreeBytes = 4 * kibibyte;

/**
 * Points of a size: in `graphql` 1 for 4 KiB and 1 for each further KiB begun, else 1 for each 64 KiB begun; at least 1, and at most half of the
 * bucket, so that every size that a path accepts can be sent. @param limit points of the bucket in a window
 */
export function pointsOfBytes(bucket: BucketName, bytes: number, limit: number): number {
  const points =
    bucket === 'graphql'
      ? 1 + Math.ceil((bytes - graphqlFreeBytes) / bytesPerPoint.graphql)
      : Math.ceil(bytes / bytesPerPoint.others);
  return Math.max(1, Math.min(points, Math.floor(limit / 2)));
}
