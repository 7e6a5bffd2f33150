import { openInfrastructure } from '../../dist/bootstrap/infrastructure.js';
import { openDomains } from '../../dist/bootstrap/subgraphs.js';
import { loadConfig } from '../../dist/shared/kernel/config.js';
import { createContext } from '../../dist/shared/kernel/context.js';
import { createLog } from '../../dist/shared/kernel/log.js';

/**
 * Opens the program's own subgraphs on the database of `DATABASE_URL`, for other servers to serve them. `contextFor` creates the context of a request
 * without authentication: its caller is the account of `OWNER`.
 */
export async function openSubgraphs() {
  const floor = await openInfrastructure(loadConfig(), createLog('warn'));
  const domains = await openDomains(floor);
  const { clock, log, manager, bus } = floor.context;
  const owner = process.env.OWNER;
  const principal = { kind: 'SESSION', id: owner, ownerId: owner, scopes: ['confirmed'] };
  return {
    subgraphs: domains.all,
    keyRing: floor.keyRing,
    contextFor: () => createContext({ clock, log, manager, bus, principal }),
    close: async () => {
      await domains.close();
      await floor.close();
    },
  };
}
