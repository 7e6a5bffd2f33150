import type { BucketName } from '../route-policy.js';

const kibibyte = 1_024;

/** Bytes that one point of a bucket pays for: GraphQL has many small points, in the documented limits a point is a request. */
const bytesPerPoint = { graphql: kibibyte, others: 64 * kibibyte } as const;
/** Bytes of a GraphQL request that its first point pays for. */
const graphqlFreeBytes = 4 * kibibyte;

/**
 * Returns the points that a request or a frame of the given size costs: reading, checking and refusing it takes work that grows
 * with its size. In the bucket `graphql` 1 for the first 4 KiB and 1 for each further KiB begun, in all others 1 for each
 * 64 KiB begun; never less than 1, and never more than half of the bucket, so that every size that a path accepts can be sent.
 * @param limit points of the bucket in a window
 */
export function pointsOfBytes(bucket: BucketName, bytes: number, limit: number): number {
  const points =
    bucket === 'graphql'
      ? 1 + Math.ceil((bytes - graphqlFreeBytes) / bytesPerPoint.graphql)
      : Math.ceil(bytes / bytesPerPoint.others);
  return Math.max(1, Math.min(points, Math.floor(limit / 2)));
}
