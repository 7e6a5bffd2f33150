import { Table } from '../../design/table.js';
import { decimal } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { useWalletEvents } from './live.js';
import { StatementPart } from './statement.js';
import { tradingTexts } from './texts.js';
import { useWallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';

/** The balances of the wallet, which follow each change, and the movements of a currency. */
export function Balances() {
  const { balances: text } = tradingTexts.get();
  const wallet = useWallet();
  const query = useQuery(graph, 'balances', { ...wallet });
  useWalletEvents('balancesLive', wallet, query.reload);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WalletBar />
      <Loaded query={query}>
        {({ balances }) => (
          <>
            <Table
              caption={text.title}
              rows={balances}
              keyOf={({ currency }) => currency}
              empty={text.empty}
              columns={[
                { label: text.currency, cell: ({ currency }) => currency },
                { label: text.available, kind: 'number', cell: ({ available }) => decimal(available) },
                { label: text.locked, kind: 'number', cell: ({ locked }) => decimal(locked) },
                { label: text.total, kind: 'number', cell: ({ total }) => decimal(total) },
              ]}
            />
            <StatementPart wallet={wallet} currencies={balances.map(({ currency }) => currency)} />
          </>
        )}
      </Loaded>
    </>
  );
}
