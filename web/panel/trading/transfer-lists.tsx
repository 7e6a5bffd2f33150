import { Badge, Section } from '../../design/basics.js';
import { Table } from '../../design/table.js';
import { decimal, moment } from '../frame/language.js';
import type { Operations } from './graph/operations.js';
import { tradingTexts } from './texts.js';

type Found = Operations['transfers']['data'];

/** The latest deposits and withdrawals. */
export function TransferLists({ deposits, withdrawals }: Found) {
  const { transfers: text } = tradingTexts.get();
  return (
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
  );
}
