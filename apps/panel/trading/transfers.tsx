import { useState } from 'react';
import { Badge, noted, Section, Table } from '../../design/basics.js';
import { SelectInput, Button, TextInput } from '../../design/controls/controls.js';
import { PagedTable, usePages, type Pages } from '../frame/paged-table.js';
import { Loaded, Note, PageHead, Form, textOf } from '../frame/parts.js';
import { useSession } from '../frame/session.js';
import { useQuery, useAction, type Query } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import type { Recipients } from './types.js';
import { tradingTexts } from '../texts.js';
import { useWalletEvents } from './live.js';
import { useWallet, type Wallet } from './wallet.js';
import { WalletBar } from './wallet-bar.js';
import { waitsForHouse, WithdrawForm } from './withdraw-form.js';
import { decimal, moment, wordOf } from '../frame/language.js';
import { QrCode } from '../frame/qr-code.js';
import { house } from '../frame/site.js';
import { Secret } from '../frame/secrets.js';
import { pixCode, pixKeyOf } from './pix-code.js';
import { exact } from './price.js';
import { ActButton } from '../frame/ask.js';

export function Transfers() {
  const { transfers: text } = tradingTexts.get();
  const wallet = useWallet();
  const deposits = usePages(graph, 'deposits', { ...wallet }, (data) => data.deposits);
  const withdrawals = usePages(graph, 'withdrawals', { ...wallet }, (data) => data.withdrawals);
  const quarantine = useQuery(graph, 'quarantine', { ...wallet });
  const held = quarantine.data?.deposits.nodes ?? [];
  const currencies = useQuery(graph, 'currencies', { synthetic: wallet.synthetic });
  const [note, setNote] = useState('');
  useWalletEvents('balancesLive', wallet, () => {
    deposits.reload();
    withdrawals.reload();
    quarantine.reload();
  });
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <WalletBar />
      <Note>{note}</Note>
      <Loaded query={currencies}>
        {({ currencies: found }) => (
          <Currency
            key={`${String(wallet.synthetic)} ${wallet.profileId ?? ''}`}
            wallet={wallet}
            held={held}
            codes={found.map(({ code }) => code)}
            onWithdrawn={(said) => {
              setNote(said);
              withdrawals.reload();
            }}
          />
        )}
      </Loaded>
      <Deposits pages={deposits} />
      <Withdrawals pages={withdrawals} isHeld={held.length > 0} />
    </>
  );
}

type Held = Operations['quarantine']['data']['deposits']['nodes'];

interface CurrencyProps {
  readonly wallet: Wallet;
  /** The deposits in quarantine, which keep the wallet from withdrawing. */
  readonly held: Held;
  readonly onWithdrawn: (said: string) => void;
}

function Currency({ codes, ...props }: CurrencyProps & { readonly codes: readonly string[] }) {
  const { words } = tradingTexts.get();
  const [code, setCode] = useState(codes.includes('BRL') ? 'BRL' : (codes[0] ?? ''));
  return (
    <>
      <div className="filter">
        <SelectInput
          name="asset"
          label={words.currency}
          value={code}
          onChange={setCode}
          options={codes.map((value) => ({ value, text: value }))}
        />
      </div>
      {/* Remounts on another currency or wallet: a transfer to the address of the previous one would be lost or credited to somebody else. */}
      <OfCurrency key={JSON.stringify([code, props.wallet])} code={code} {...props} />
    </>
  );
}

function OfCurrency({ code, wallet, held, onWithdrawn }: CurrencyProps & { readonly code: string }) {
  const { transfers: text } = tradingTexts.get();
  const mayWithdraw = useSession()?.scopes.includes('withdraw') === true;
  const query = useQuery(graph, 'depositAddress', { ...wallet, currency: code });
  const saved = useQuery(graph, 'withdrawalAddresses', { synthetic: wallet.synthetic });
  useWalletEvents('balancesLive', wallet, query.reload);
  return (
    <Loaded query={query}>
      {({ fetchDepositAddress: { addresses }, withdrawalTerms: terms, balances }) => {
        const networks = terms.networks.map(({ network }) => network);
        return (
          <>
            <Section id="deposit" title={text.depositTitle}>
              <DepositAddresses addresses={addresses} isReal={code === 'BRL'} synthetic={wallet.synthetic} />
            </Section>
            <Section id="withdraw" title={text.withdraw}>
              <Quarantine held={held} />
              {held.length > 0 ? null : mayWithdraw ? (
                <WithdrawForm
                  wallet={wallet}
                  asset={code}
                  terms={terms}
                  available={balances.find(({ currency }) => currency === code)?.available ?? '0'}
                  saved={saved.data?.withdrawalAddresses ?? []}
                  onDone={(said) => {
                    query.reload();
                    onWithdrawn(said);
                  }}
                />
              ) : (
                <p className="muted">{text.withoutScope}</p>
              )}
            </Section>
            <Section id="list" title={text.list}>
              <WithdrawalAddresses synthetic={wallet.synthetic} networks={networks} query={saved} />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}

/** Says that nothing is withdrawn, and because of which deposits. */
function Quarantine({ held }: { readonly held: Held }) {
  const { transfers: text } = tradingTexts.get();
  if (held.length === 0) return null;
  return (
    <div className="notice bad" role="status">
      {held.map(({ id, asset, amount, missing, quarantinedAt }) => (
        <p key={id}>
          {text.held(`${exact(amount)} ${asset}`, moment(quarantinedAt), `${exact(missing ?? '0')} ${asset}`)}
        </p>
      ))}
      <p>{text.heldText}</p>
    </div>
  );
}

type Addresses = Operations['depositAddress']['data']['fetchDepositAddress']['addresses'];

/** Where a currency is sent to, so that it arrives in the wallet: to be copied, or read by a telephone. */
function DepositAddresses(props: {
  readonly addresses: Addresses;
  readonly isReal: boolean;
  readonly synthetic: boolean;
}) {
  const { addresses, isReal, synthetic } = props;
  const { transfers: text } = tradingTexts.get();
  if (addresses.length === 0) return <p className="empty">{text.noAddress}</p>;
  return (
    <>
      {synthetic ? <p className="notice">{text.simulated}</p> : null}
      <p className="muted">{isReal ? text.depositReais : text.depositLead}</p>
      <div className="columns">
        {addresses.map(({ network, address, memo, confirmations }) => {
          const code = network === 'pix' ? pixCode(address, house.name) : address;
          return (
            <div key={network} className="limited">
              <h3>{wordOf(text.networks, network)}</h3>
              {valuesOf(network, address, memo, code).map(([label, value]) => (
                <Secret key={label} label={label} value={value} />
              ))}
              {network === 'ted' ? null : <QrCode text={code} label={text.qr(wordOf(text.networks, network))} />}
              {isReal ? null : <p className="small muted">{text.creditedAfter(decimal(confirmations))}</p>}
            </div>
          );
        })}
      </div>
    </>
  );
}

/** Returns the values that a payer types or pastes, each with its name; for a bank transfer, the recipient and each part of the account. */
function valuesOf(network: string, address: string, memo: string | null, code: string) {
  const { transfers: text } = tradingTexts.get();
  const [bank = '', branch = '', account = ''] = address.split('/');
  const values: readonly (readonly [string, string | null | undefined])[] =
    network === 'ted'
      ? [
          [text.payee, house.name],
          ['CNPJ', house.taxId],
          [text.bank, bank],
          [text.branch, branch],
          [text.account, account],
        ]
      : [
          [wordOf(text.addresses, network), address],
          [text.pixCode, network === 'pix' ? code : null],
          [text.memo, memo],
        ];
  return values.flatMap(([label, value]) => (value == null ? [] : [[label, value] as const]));
}

type Deposit = Operations['deposits']['data']['deposits']['nodes'][number];
type Withdrawal = Operations['withdrawals']['data']['withdrawals']['nodes'][number];

function Deposits({ pages }: { readonly pages: Pages<Deposit> }) {
  const { order, transfers: text, words } = tradingTexts.get();
  return (
    <Section id="deposits" title={text.deposits}>
      <PagedTable
        pages={pages}
        caption={text.deposits}
        empty={text.noDeposits}
        columns={[
          { label: words.time, kind: 'nowrap', cell: ({ seenAt }) => moment(seenAt) },
          { label: order.amount, kind: 'number', cell: ({ amount, asset }) => `${exact(amount)} ${asset}` },
          { label: words.network, kind: 'nowrap', cell: ({ network }) => wordOf(text.networks, network) },
          { label: text.confirmations, kind: 'number', cell: ({ confirmations }) => decimal(confirmations) },
          { label: words.status, cell: ({ status }) => <Badge>{text.depositStates[status]}</Badge> },
        ]}
      />
    </Section>
  );
}

function Withdrawals({ pages, isHeld }: { readonly pages: Pages<Withdrawal>; readonly isHeld: boolean }) {
  const { order, transfers: text, words } = tradingTexts.get();
  return (
    <Section id="withdrawals" title={words.withdrawals}>
      <PagedTable
        pages={pages}
        caption={words.withdrawals}
        empty={text.noWithdrawals}
        columns={[
          { label: words.time, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
          { label: order.amount, kind: 'number', cell: ({ amount, asset }) => `${exact(amount)} ${asset}` },
          { label: order.fee, kind: 'number', cell: ({ fee, asset }) => `${exact(fee)} ${asset}` },
          { label: words.address, kind: 'wide', cell: (row) => <AddressOnNetwork {...row} /> },
          {
            label: words.status,
            cell: ({ status, failure, approvals, approvalsNeeded }) =>
              noted(
                <Badge tone={waitsForHouse(status, approvalsNeeded) ? 'warn' : 'plain'}>
                  {waitsForHouse(status, approvalsNeeded - approvals)
                    ? text.waitsForHouse(decimal(approvals), decimal(approvalsNeeded))
                    : text.withdrawalStates[status]}
                </Badge>,
                isHeld && status === 'PENDING' ? text.waitsForDeposit : failure,
                failure === null ? undefined : 'en',
              ),
          },
        ]}
      />
    </Section>
  );
}

/** The recipients that the company has saved; the only ones that it may withdraw to where an operator has asked for that. */
function WithdrawalAddresses(props: {
  readonly synthetic: boolean;
  readonly networks: readonly string[];
  readonly query: Query<Recipients>;
}) {
  const { synthetic, networks, query } = props;
  const { transfers: text, words } = tradingTexts.get();
  return (
    <Loaded query={query}>
      {({ withdrawalAddresses }) => (
        <>
          <p className="muted">{text.listLead}</p>
          <Table
            caption={text.list}
            rows={withdrawalAddresses}
            empty={text.noList}
            columns={[
              { label: words.name, kind: 'wide', cell: ({ label }) => label },
              { label: words.address, kind: 'wide', cell: (row) => <AddressOnNetwork {...row} /> },
              { label: text.usableAt, kind: 'nowrap', cell: ({ usableAt }) => moment(usableAt) },
              {
                label: words.acts,
                cell: (row) => (
                  <ActButton
                    label={`${words.remove} ${row.label}`}
                    title={text.removeTitle}
                    act={words.remove}
                    kind="danger"
                    text={text.removeText(row.label)}
                    run={() => graph.mutate('removeWithdrawalAddress', { synthetic, id: row.id })}
                    onDone={query.reload}
                  />
                ),
              },
            ]}
          />
          <AddAddress synthetic={synthetic} networks={networks} onAdded={query.reload} />
        </>
      )}
    </Loaded>
  );
}

function AddressOnNetwork({ address, network }: { readonly address: string; readonly network: string }) {
  return noted(<code>{address}</code>, wordOf(tradingTexts.get().transfers.networks, network));
}

const fields = ['network', 'address', 'label'];

function AddAddress(props: {
  readonly synthetic: boolean;
  readonly networks: readonly string[];
  readonly onAdded: () => void;
}) {
  const { synthetic, networks, onAdded } = props;
  const { transfers: text, words } = tradingTexts.get();
  const action = useAction();
  const [turn, setTurn] = useState(0);
  return (
    <Form
      key={turn}
      action={action}
      fields={fields}
      label={text.addAddress}
      onSubmit={(values) => {
        const [network = '', typed = '', label = ''] = fields.map((name) => textOf(values, name).trim());
        const address = network === 'pix' ? pixKeyOf(typed) : typed;
        void action
          .run(() => graph.mutate('addWithdrawalAddress', { synthetic, network, address, label }))
          .then((added) => {
            if (!added) return;
            setTurn(turn + 1);
            onAdded();
          });
      }}
    >
      <div className="filter">
        <SelectInput
          name="network"
          label={words.network}
          options={networks.map((value) => ({ value, text: wordOf(text.networks, value) }))}
        />
        <TextInput name="address" label={words.address} autoComplete="off" maxLength={200} isRequired />
        <TextInput name="label" label={words.name} autoComplete="off" maxLength={100} isRequired />
        <Button type="submit" isBusy={action.isBusy}>
          {text.addAddress}
        </Button>
      </div>
    </Form>
  );
}
