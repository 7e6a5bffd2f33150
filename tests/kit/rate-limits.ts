import { loadConfig, type Config } from '../../shared/kernel/config.js';

type RateLimits = Config['rateLimits'];

/** The limits of a program whose environment names none: every fixture takes the names of the buckets from here. */
export const defaultRateLimits: RateLimits = loadConfig({ NODE_ENV: 'test' }).rateLimits;

const bucketNames = Object.keys(defaultRateLimits);

/** Returns limits of the given number of points a minute for every bucket, but for those that are named. */
export function rateLimitsOf(points: number, others: Partial<RateLimits> = {}): RateLimits {
  return { ...defaultRateLimits, ...Object.fromEntries(bucketNames.map((name) => [name, points])), ...others };
}

/** Returns the environment of a program with the given number of points a minute for every bucket. */
export function rateLimitVariables(points: number): Record<string, string> {
  const variableOf = (name: string) => `RATE_LIMIT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
  return Object.fromEntries(bucketNames.map((name) => [variableOf(name), String(points)]));
}
