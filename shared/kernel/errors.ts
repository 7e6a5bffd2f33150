import { DatabaseAway, isTextRefused, unavailability } from '../database/unavailable.js';
import { cut, shortened } from './echo.js';
import {
  errorKindOf,
  type ErrorCode,
  textOfRule,
  type ImportRuleCode,
  type RuleCode,
  type ValuesOf,
} from '../registry.js';

/** One error of an input: `path` as in `contracts[17].debtorDocument`, empty for the input as a whole. */
export interface ErrorDetail extends Ruled {
  readonly path: string;
  readonly message: string;
}

export interface ApiErrorOptions extends Ruled {
  readonly message?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The request that first got this error, when a stored response repeats it. */
  readonly requestId?: string | undefined;
  /** The underlying error: for the log only, never for the caller. */
  readonly cause?: unknown;
}

/** The content of `errors[].extensions` in GraphQL, from which REST renders its envelope. */
export interface ErrorExtensions extends Ruled {
  readonly code: string;
  readonly statusCode: number;
  readonly catalogue?: number | string;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly requestId?: string;
  readonly [key: string]: unknown;
}

/**
 * The one class of errors that callers see; interfaces convert it into their own form (REST envelope, GraphQL extensions, MCP tool error). Throw it for everything the caller may know; anything else thrown becomes INTERNAL. It repeats at most 100 characters of
 * a caller's own text.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly extensions: ErrorExtensions;

  constructor(
    readonly code: ErrorCode,
    options: ApiErrorOptions = {},
  ) {
    const kind = errorKindOf(code);
    const { retryAfterSeconds = kind.retryAfterSeconds } = options;
    const { stackTraceLimit } = Error;
    // Nobody reads the stack of an error the caller caused, and a caller can cause thousands of them a second.
    if (code !== 'INTERNAL') Error.stackTraceLimit = 0;
    super(
      shortened(options.message ?? kind.message),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    Error.stackTraceLimit = stackTraceLimit;
    this.extensions = {
      code,
      statusCode: kind.status,
      ...(kind.catalogue === undefined ? {} : { catalogue: kind.catalogue }),
      ...ruleOf(options),
      ...(options.details === undefined ? {} : { details: options.details.map(shortDetail) }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(options.requestId === undefined ? {} : { requestId: options.requestId }),
    };
  }

  get status(): number {
    return this.extensions.statusCode;
  }
}

function shortDetail({ path, message, ...rest }: ErrorDetail): ErrorDetail {
  return { path: cut(path), message: shortened(message), ...ruleOf(rest) };
}

/** UNAVAILABLE when the database cannot serve, BAD_REQUEST for text that it cannot store, else INTERNAL. The original stays as `cause`. */
export function apiErrorFrom(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const away = unavailability(thrown);
  if (away === undefined) {
    if (!isTextRefused(thrown)) return new ApiError('INTERNAL', { cause: thrown });
    return new ApiError('BAD_REQUEST', {
      message: 'A text in the request contains the character NUL (U+0000): remove it',
      cause: thrown,
    });
  }
  const { message, retryAfterSeconds, reason } = away;
  return new ApiError('UNAVAILABLE', { message, retryAfterSeconds, cause: new DatabaseAway(reason, thrown) });
}

/** Returns a value that was looked for. @throws {ApiError} NOT_FOUND with the message when there is none */
export function requireFound<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new ApiError('NOT_FOUND', { message });
  return value;
}

export const maxDetails = 100;

/** Throws one error with everything wrong, or the first `maxDetails` and the total; nothing when there is none. @param total if `details` lacks some */
export function refuse(code: ErrorCode, details: readonly ErrorDetail[], total = details.length): void {
  if (total === 0) return;
  if (total <= maxDetails) throw new ApiError(code, { details });
  const message = `${errorKindOf(code).message}: it has ${total} errors, of which the first ${maxDetails} are listed`;
  throw new ApiError(code, { message, details: details.slice(0, maxDetails) });
}

/** Returns the error of an input where a condition is not met, as a list with others: none, or that one. */
export function unless(isRight: boolean, error: ErrorDetail): ErrorDetail[] {
  return isRight ? [] : [error];
}

/** A value that a rule names, as text: a number in decimal form, a moment in RFC 3339. */
export interface RuleValue {
  readonly name: string;
  readonly value: string;
}

/** Names the rule that is broken, where a message is made of one: its code (`shared/registry.ts`), and the values in its text. */
export interface Ruled {
  readonly rule?: string | undefined;
  readonly values?: readonly RuleValue[] | undefined;
}

/** A broken rule with its values, and the English text that they make. It is a part of an `ErrorDetail`, or of the options of an `ApiError`. */
export interface BrokenRule {
  readonly message: string;
  readonly rule: RuleCode;
  readonly values: readonly RuleValue[];
}

export type Given<Code extends RuleCode | ImportRuleCode, Value = string | number> = [ValuesOf<Code>] extends [never]
  ? []
  : [values: Readonly<Record<ValuesOf<Code>, Value>>];

/** Returns a broken rule: `throw new ApiError('CONFLICT', byRule('KEYS_FULL', { max }))`. A word of a value is cut after 100 characters. */
export function byRule<Code extends RuleCode>(rule: Code, ...[given]: Given<Code>): BrokenRule {
  const values = Object.entries<string | number>(given ?? {}).map(([name, value]) => ({
    name,
    value: shortened(String(value)),
  }));
  return { rule, values, message: filled(textOfRule(rule), values) };
}

export function filled(text: string, values: readonly RuleValue[]): string {
  const texts = new Map(values.map(({ name, value }) => [name, value]));
  return text.replace(/\{(\w+)\}/g, (_place, name: string) => texts.get(name) ?? '');
}

/** Returns the error of the value at a path of an input: `errorAt('name', 'TEXT_LENGTH', { min: 1, max: 100 })`. */
export function errorAt<Code extends RuleCode>(path: string, rule: Code, ...values: Given<Code>) {
  return { path, ...byRule(rule, ...values) };
}

/** Returns the rule of an error with its values, and nothing for an error without one. */
export function ruleOf({ rule, values = [] }: Ruled) {
  return rule === undefined ? {} : { rule, values };
}
