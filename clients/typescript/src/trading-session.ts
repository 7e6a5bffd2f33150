import { LastroError } from './errors.js';
import type { TradingTokens } from './generated/api.js';

/** Tokens are refreshed so many seconds before they expire. */
const marginSeconds = 60;

/** The two calls that return tokens; neither needs a credential. */
export interface TokenCalls {
  readonly login: () => Promise<TradingTokens>;
  readonly refresh: (refreshToken: string, idempotencyKey: string) => Promise<TradingTokens>;
}

/** The login of a company: one for all calls of a client. */
export interface TradingSession {
  /** Returns an access token that is valid for another minute, or for half of its life where it lives shorter. */
  readonly accessToken: () => Promise<string>;
  /** Discards an access token that was rejected, so that the next call gets another one. */
  readonly discard: (accessToken: string) => void;
}

interface Held extends TradingTokens {
  readonly refreshAt: number;
  /** A refresh that got no response is sent again under the same key, which holds longer than ten seconds. */
  readonly refreshKey: string;
}

/** Logs in at the first call, and refreshes the tokens before they expire, once for all calls that need them at the same time. */
export function openTradingSession({ login, refresh }: TokenCalls): TradingSession {
  let held: Held | undefined;
  let renewal: Promise<Held> | undefined;

  const renew = async (): Promise<Held> => {
    const tokens = held === undefined ? await login() : await refreshed(held);
    const marginMs = Math.min(marginSeconds, tokens.expiresIn / 2) * 1_000;
    held = { ...tokens, refreshAt: Date.now() + tokens.expiresIn * 1_000 - marginMs, refreshKey: newKey() };
    return held;
  };
  const refreshed = async ({ refreshToken, refreshKey }: Held): Promise<TradingTokens> => {
    try {
      return await refresh(refreshToken, refreshKey);
    } catch (error) {
      if (!(error instanceof LastroError) || error.status !== 401) throw error;
      return login();
    }
  };

  return {
    accessToken: async () => {
      if (held !== undefined && Date.now() < held.refreshAt) return held.accessToken;
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return (await renewal).accessToken;
    },
    discard: (accessToken) => {
      if (held?.accessToken === accessToken) held = { ...held, refreshAt: 0 };
    },
  };
}

/** A UUID v4. `crypto.randomUUID` exists only on pages that are served over HTTPS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
