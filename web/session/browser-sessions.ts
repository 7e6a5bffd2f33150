import type {
  BrowserSessionState,
  FactorProof,
  FirstFactor,
  PasskeyRequest,
  RenewedSession,
} from '../../shared/browser-session.js';
import type { Context } from '../../shared/context.js';

/** What the routes need of the domain of accounts. */
export interface BrowserSessions {
  /** Opens a session, and ends that of the cookie which the browser had before. */
  logIn(context: Context, first: FirstFactor, previous?: string): Promise<RenewedSession>;
  /** Returns what the browser needs to sign by a passkey: for a log-in, or for a step-up of the calling session. */
  passkeyRequest(context: Context): Promise<PasskeyRequest>;
  /** Proves that the owner of the calling session is there, and gives the session another cookie. */
  stepUp(context: Context, cookie: string, proof: FactorProof): Promise<RenewedSession>;
  /** Describes the calling session. */
  read(context: Context): Promise<BrowserSessionState>;
  /** Ends the calling session. */
  logOut(context: Context): Promise<void>;
}
