import { Table } from '../../design/table.js';
import { decimal } from '../frame/language.js';
import type { Operations } from './graph/operations.js';
import { tradingTexts } from './texts.js';

export type Addresses = Operations['depositAddress']['data']['fetchDepositAddress']['addresses'];

/** Where a currency is sent to, so that it arrives in the wallet. */
export function DepositAddresses({ addresses }: { readonly addresses: Addresses }) {
  const { transfers: text } = tradingTexts.get();
  return (
    <>
      <p className="muted">{text.depositLead}</p>
      <Table
        caption={text.depositTitle}
        rows={addresses}
        keyOf={({ network }) => network}
        empty={text.noAddress}
        columns={[
          { label: text.network, kind: 'nowrap', cell: ({ network }) => network },
          {
            label: text.address,
            kind: 'wide',
            cell: ({ address, memo }) => (
              <>
                <code>{address}</code>
                {memo === null ? null : (
                  <span className="sub">
                    {text.memo}: <code>{memo}</code>
                  </span>
                )}
              </>
            ),
          },
          { label: text.confirmations, kind: 'number', cell: ({ confirmations }) => decimal(confirmations) },
        ]}
      />
    </>
  );
}
