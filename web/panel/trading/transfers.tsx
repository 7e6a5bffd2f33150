import { useState } from 'react';
import { Section } from '../../design/basics.js';
import { SelectInput } from '../../design/controls/fields.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useQuery } from '../frame/use-graph.js';
import { DepositAddresses } from './deposit-addresses.js';
import { graph } from './graph.js';
import { tradingTexts } from './texts.js';
import { TransferLists } from './transfer-lists.js';
import { useWallet, type Wallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';
import { WithdrawForm } from './withdraw-form.js';
import { WithdrawalAddresses } from './withdrawal-addresses.js';

/** Deposits and withdrawals of the wallet: where a deposit is sent to, a new withdrawal, and the latest of both. */
export function Transfers() {
  const { transfers: text } = tradingTexts.get();
  const wallet = useWallet();
  const lists = useQuery(graph, 'transfers', { ...wallet });
  const currencies = useQuery(graph, 'currencies', { synthetic: wallet.synthetic });
  const [note, setNote] = useState('');
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WalletBar />
      <p role="status" className="note">
        {note}
      </p>
      <Loaded query={currencies}>
        {({ currencies: found }) => (
          <Currency
            key={`${String(wallet.synthetic)} ${wallet.profileId ?? ''}`}
            wallet={wallet}
            codes={found.map(({ code }) => code)}
            onWithdrawn={(said) => {
              setNote(said);
              lists.reload();
            }}
          />
        )}
      </Loaded>
      <Loaded query={lists}>{(found) => <TransferLists {...found} />}</Loaded>
    </>
  );
}

/** What can be done with one currency. */
function Currency(props: {
  readonly wallet: Wallet;
  readonly codes: readonly string[];
  readonly onWithdrawn: (said: string) => void;
}) {
  const { wallet, codes, onWithdrawn } = props;
  const { transfers: text } = tradingTexts.get();
  const mayWithdraw = useSession()?.scopes.includes('withdraw') === true;
  const [code, setCode] = useState(codes.includes('BRL') ? 'BRL' : (codes[0] ?? ''));
  const query = useQuery(graph, 'depositAddress', { ...wallet, currency: code });
  return (
    <>
      <div className="filter">
        <SelectInput
          name="asset"
          label={text.currency}
          value={code}
          onChange={setCode}
          options={codes.map((value) => ({ value, text: value }))}
        />
      </div>
      <Loaded query={query}>
        {({ fetchDepositAddress: { addresses } }) => {
          const networks = addresses.map(({ network }) => network);
          return (
            <>
              <Section id="deposit" title={text.depositTitle}>
                <DepositAddresses addresses={addresses} />
              </Section>
              <Section id="withdraw" title={text.withdrawTitle}>
                {mayWithdraw ? (
                  <WithdrawForm
                    key={networks.join(' ')}
                    wallet={wallet}
                    asset={code}
                    networks={networks}
                    onDone={onWithdrawn}
                  />
                ) : (
                  <p className="muted">{text.withoutScope}</p>
                )}
              </Section>
              <Section id="list" title={text.list}>
                <WithdrawalAddresses key={networks.join(' ')} synthetic={wallet.synthetic} networks={networks} />
              </Section>
            </>
          );
        }}
      </Loaded>
    </>
  );
}
