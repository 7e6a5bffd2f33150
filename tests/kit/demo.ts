import { createLocalBus } from '../../shared/events/bus.js';
import { systemClock } from '../../shared/kernel/clock.js';
import { createContext } from '../../shared/kernel/context.js';
import { openDatabase } from '../../shared/database/database.js';
import { loadDemo } from '../../subgraphs/issuances/demo/demo.js';
import { loadTokenizationDemo } from '../../subgraphs/tokenization/demo/demo.js';
import { quietLog } from './context.js';

export async function fillDemo(url: string): Promise<void> {
  const source = await openDatabase({ url, poolSize: 2, applicationName: 'demo' });
  const context = createContext({ clock: systemClock, log: quietLog, bus: createLocalBus(), manager: source.manager });
  await loadTokenizationDemo(context);
  await loadDemo(context, Promise.resolve());
  await source.destroy();
}
