import { Badge, Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { decimal, moment } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { tradingTexts } from './texts.js';
import { useWallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';

/** The latest deposits and withdrawals of the wallet. */
export function Transfers() {
  const { transfers: text } = tradingTexts.get();
  const wallet = useWallet();
  const query = useQuery(graph, 'transfers', { ...wallet });
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WalletBar />
      <Loaded query={query}>
        {({ deposits, withdrawals }) => (
          <>
            <Section id="deposits" title={text.deposits}>
              <Table
                caption={text.deposits}
                rows={deposits.nodes}
                keyOf={({ id }) => id}
                empty={text.noDeposits}
                columns={[
                  { label: text.time, kind: 'nowrap', cell: ({ seenAt }) => moment(seenAt) },
                  { label: text.amount, kind: 'number', cell: ({ amount, asset }) => `${decimal(amount)} ${asset}` },
                  { label: text.network, kind: 'nowrap', cell: ({ network }) => network },
                  { label: text.confirmations, kind: 'number', cell: ({ confirmations }) => decimal(confirmations) },
                  { label: text.status, cell: ({ status }) => <Badge>{text.depositStates[status]}</Badge> },
                ]}
              />
            </Section>
            <Section id="withdrawals" title={text.withdrawals}>
              <Table
                caption={text.withdrawals}
                rows={withdrawals.nodes}
                keyOf={({ id }) => id}
                empty={text.noWithdrawals}
                columns={[
                  { label: text.time, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
                  { label: text.amount, kind: 'number', cell: ({ amount, asset }) => `${decimal(amount)} ${asset}` },
                  { label: text.fee, kind: 'number', cell: ({ fee, asset }) => `${decimal(fee)} ${asset}` },
                  {
                    label: text.address,
                    kind: 'wide',
                    cell: ({ address, network }) => (
                      <>
                        <code>{address}</code>
                        <span className="sub">{network}</span>
                      </>
                    ),
                  },
                  {
                    label: text.status,
                    cell: ({ status, failure }) => (
                      <>
                        <Badge>{text.withdrawalStates[status]}</Badge>
                        {failure === null ? null : (
                          <span className="sub" lang="en">
                            {failure}
                          </span>
                        )}
                      </>
                    ),
                  },
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}
