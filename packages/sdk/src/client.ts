import { operationGroups } from './generated/index.js';
import type { ClientOptions } from './options.js';
import { openTradingSession, type TradingSession } from './trading-session.js';
import { createTransport } from './transport.js';
import { originOf } from './send.js';

/** A client: a method for each path, in groups. */
export interface LastroClient extends ReturnType<typeof operationGroups> {
  /** What live updates need: the address of the server, and the login of the company. */
  readonly connection: Connection;
}

/** The address of the server without a path, and the settings of trading calls. */
export interface Connection {
  readonly origin: string;
  readonly profileId: string | undefined;
  readonly synthetic: boolean;
  /** The login of the company; undefined without the option `trading`. */
  readonly session: TradingSession | undefined;
}

/** Makes a client. Nothing is sent before its first call. */
export function createClient(options: ClientOptions): LastroClient {
  const { baseUrl, trading, profileId, synthetic = false } = options;
  const session = trading === undefined ? undefined : sessionOf(options, trading);
  return {
    ...operationGroups(createTransport(options, session)),
    connection: { origin: originOf(baseUrl), profileId, synthetic, session },
  };
}

function sessionOf(
  options: ClientOptions,
  credential: { readonly apiKey: string; readonly secretKey: string },
): TradingSession {
  const { trading } = operationGroups(createTransport(options, undefined));
  return openTradingSession({
    login: () => trading.tradingLogin(credential),
    refresh: (refreshToken, idempotencyKey) => trading.refreshTradingTokens({ refreshToken }, { idempotencyKey }),
  });
}
