import type { z } from 'zod';
import type { keySetFile } from './config-fields.js';

/** The chain of the token contracts; undefined when none is configured. */
export function chainOf(env: {
  readonly CHAIN_ID: number;
  readonly CHAIN_NETWORK?: string | undefined;
  readonly CHAIN_RPC_URL?: string | undefined;
  readonly CHAIN_EXPLORER_URL?: string | undefined;
  readonly CHAIN_CONFIRMATIONS: number;
}) {
  if (env.CHAIN_NETWORK === undefined) return undefined;
  return {
    id: env.CHAIN_ID,
    network: env.CHAIN_NETWORK,
    rpcUrl: env.CHAIN_RPC_URL,
    explorerUrl: env.CHAIN_EXPLORER_URL,
    confirmations: env.CHAIN_CONFIRMATIONS,
  };
}

/** Another federation router that may call the subgraphs; undefined when none is configured. */
export function routerOf(env: {
  readonly ROUTER_JWKS_FILE?: z.output<typeof keySetFile> | undefined;
  readonly ROUTER_ISSUER?: string | undefined;
}) {
  if (env.ROUTER_JWKS_FILE === undefined || env.ROUTER_ISSUER === undefined) return undefined;
  return { keys: env.ROUTER_JWKS_FILE, issuer: env.ROUTER_ISSUER };
}

/** The limits of connections. A subgraph of its own is called by gateways and routers, each of which brings the callers of many networks from one address. */
export function connectionsOf(env: {
  readonly ROLE: string;
  readonly CONNECTIONS_MAX: number;
  readonly CONNECTIONS_MAX_PER_NETWORK?: number | undefined;
}) {
  const { ROLE: role, CONNECTIONS_MAX: max, CONNECTIONS_MAX_PER_NETWORK: maxPerNetwork } = env;
  return { max, maxPerNetwork: maxPerNetwork ?? (role.startsWith('subgraph:') ? max : 2_000) };
}

/** The limits of subscriptions that run at once. */
export function subscriptionsOf(env: {
  readonly SUBSCRIPTIONS_MAX: number;
  readonly SUBSCRIPTIONS_MAX_PER_NETWORK: number;
  readonly SUBSCRIPTIONS_MAX_PER_OWNER: number;
}) {
  return {
    max: env.SUBSCRIPTIONS_MAX,
    maxPerNetwork: env.SUBSCRIPTIONS_MAX_PER_NETWORK,
    maxPerOwner: env.SUBSCRIPTIONS_MAX_PER_OWNER,
  };
}
