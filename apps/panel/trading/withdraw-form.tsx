import { useRef, useState } from 'react';
import { Facts } from '../../design/basics.js';
import { Button, Check, Dialog, SelectInput, TextInput } from '../../design/controls/controls.js';
import { accepted, FailureError, isUnknown } from '../frame/failure.js';
import { decimal, money, wordOf } from '../frame/language.js';
import { Form, FailureNotice, textOf } from '../frame/parts.js';
import { serverNow } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { tradingTexts } from '../texts.js';
import { useAction, type Action } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import type { Recipients, Terms } from './types.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import { pixKeyOf, withoutPunctuation } from './pix-code.js';
import { decimalsOf, exact, isLess, sumOf } from './price.js';
import type { Wallet } from './wallet.js';

/** A withdrawal that waits for a confirmation, with the key under which it is made once. */
interface Asked {
  readonly wish: Operations['withdraw']['variables'];
  readonly key: string;
}

const fields = ['amount', 'address', 'network', 'beneficiaryName', 'beneficiaryTaxId', 'selfCustody'];

/** Asks for a withdrawal, shows it once more, and makes it: once, however often the button is pressed. */
export function WithdrawForm(props: {
  readonly wallet: Wallet;
  readonly asset: string;
  readonly terms: Terms;
  readonly available: string;
  readonly saved: Recipients['withdrawalAddresses'];
  readonly onDone: (said: string) => void;
}) {
  const { wallet, asset, terms, available, saved, onDone } = props;
  const { transfers: text } = tradingTexts.get();
  const action = useAction();
  const [network, setNetwork] = useState(terms.networks[0]?.network ?? '');
  const [isOwn, setOwn] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  // The same wish keeps its key until it is known to be made: a response that was lost may have been a success.
  const latest = useRef<Asked>(undefined);
  const [turn, setTurn] = useState(0);
  return (
    <>
      <Form
        key={turn}
        action={action}
        fields={fields}
        label={text.withdraw}
        onSubmit={(values) => {
          const optional = (name: string) => textOf(values, name).trim() || null;
          const address = textOf(values, 'address').trim();
          const wish = {
            ...wallet,
            asset,
            network,
            amount: numberOf(values, 'amount', asset) ?? '',
            address: network === 'pix' ? pixKeyOf(address) : address,
            beneficiaryName: optional('beneficiaryName'),
            beneficiaryTaxId: withoutPunctuation(textOf(values, 'beneficiaryTaxId')) || null,
            selfCustody: isOwn ? true : null,
          };
          const isSame = JSON.stringify(wish) === JSON.stringify(latest.current?.wish);
          latest.current = { wish, key: (isSame ? latest.current?.key : undefined) ?? crypto.randomUUID() };
          action.clear();
          setAsked(latest.current);
        }}
      >
        <Fields {...{ asset, terms, available, saved, network }} onNetwork={setNetwork} />
        {asset === 'BRL' ? null : (
          <Check isSelected={isOwn} onChange={setOwn}>
            {text.selfCustody}
          </Check>
        )}
        <div className="acts">
          <Button type="submit" kind="main">
            {text.withdraw}
          </Button>
        </div>
      </Form>
      {asked === undefined ? null : (
        <Confirm
          asked={asked}
          terms={terms}
          action={action}
          onClose={() => setAsked(undefined)}
          onRefused={() => {
            latest.current = { ...asked, key: crypto.randomUUID() };
            setAsked(latest.current);
          }}
          onDone={(said) => {
            // An empty form: nobody withdraws the same twice by accident.
            latest.current = undefined;
            setTurn(turn + 1);
            setOwn(false);
            onDone(said);
          }}
        />
      )}
    </>
  );
}

function Fields(props: {
  readonly asset: string;
  readonly terms: Terms;
  readonly available: string;
  readonly saved: Recipients['withdrawalAddresses'];
  readonly network: string;
  readonly onNetwork: (network: string) => void;
}) {
  const { asset, terms, available, saved, network, onNetwork } = props;
  const { balances, order, transfers: text, words } = tradingTexts.get();
  const [recipient, setRecipient] = useState('');
  const usable = saved.filter((one) => one.network === network && Date.parse(one.usableAt) <= serverNow());
  const via = terms.networks.find((one) => one.network === network);
  const amountError = (amount: string) => {
    if (via === undefined) return undefined;
    const decimals = decimalsOf(via.fee);
    if (decimalsOf(amount) > decimals) return text.tooExact(decimal(decimals));
    if (isLess(amount, via.minimum)) return `${text.minimum}: ${exact(via.minimum)} ${asset}`;
    return isLess(available, sumOf([amount, via.fee])) ? text.notAvailable : undefined;
  };
  return (
    <>
      <SelectInput
        name="network"
        label={words.network}
        value={network}
        onChange={(chosen) => {
          // Clear the recipient: somebody who can receive at an address on one network may be unable to at the same address on another.
          setRecipient('');
          onNetwork(chosen);
        }}
        options={terms.networks.map(({ network: value }) => ({ value, text: wordOf(text.networks, value) }))}
      />
      {usable.length === 0 ? null : (
        <SelectInput
          name="recipient"
          label={text.recipient}
          value={recipient}
          onChange={setRecipient}
          all={text.anotherRecipient}
          options={usable.map(({ address, label }) => ({ value: address, text: label }))}
        />
      )}
      <TextInput
        key={`${network} ${recipient}`}
        name="address"
        label={wordOf(text.addresses, network)}
        hint={wordOf(text.addressHints, network)}
        defaultValue={recipient}
        autoComplete="off"
        maxLength={200}
        isRequired
      />
      <NumberInput
        name="amount"
        label={`${order.amount} (${asset})`}
        hint={text.amountHint}
        unit={asset}
        check={amountError}
        isRequired
      />
      {via === undefined ? null : (
        <Facts
          items={[
            [balances.available, `${exact(available)} ${asset}`],
            [order.fee, `${exact(via.fee)} ${asset}`],
            [text.minimum, `${exact(via.minimum)} ${asset}`],
            [text.arrival, arrivalOf(via)],
            ...(terms.limitLeft === null
              ? []
              : [[text.limitLeft, text.of(exact(terms.limitLeft), `${exact(terms.limit ?? '')} ${asset}`)] as const]),
            ...(terms.unapprovedLeftBrl === null ? [] : [[text.unapproved, money(terms.unapprovedLeftBrl)] as const]),
          ]}
        />
      )}
      <TextInput
        name="beneficiaryName"
        label={text.beneficiary}
        maxLength={200}
        {...(asset === 'BRL' ? {} : { hint: text.travelRule })}
      />
      <TextInput name="beneficiaryTaxId" label={text.taxId} maxLength={20} autoComplete="off" />
    </>
  );
}

function arrivalOf({ network, confirmations }: Terms['networks'][number]): string {
  const { arrivals, afterConfirmations } = tradingTexts.get().transfers;
  return Object.hasOwn(arrivals, network) ? wordOf(arrivals, network) : afterConfirmations(decimal(confirmations));
}

export const waitsForHouse = (status: string, approvalsNeeded: number) => status === 'PENDING' && approvalsNeeded > 0;

function Confirm(props: {
  readonly asked: Asked;
  readonly terms: Terms;
  readonly action: Action;
  readonly onClose: () => void;
  /** Called when it is known that nothing was withdrawn: another try is another act. */
  readonly onRefused: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { asked, terms, action, onClose, onRefused, onDone } = props;
  const { wish, key } = asked;
  const via = terms.networks.find(({ network }) => network === wish.network);
  const unapproved = terms.unapprovedLeftBrl;
  // The value of another currency is known when it is requested.
  const mustWait = wish.asset === 'BRL' && unapproved !== null && isLess(unapproved, wish.amount);
  const { order, transfers: text, words } = tradingTexts.get();
  const withdraw = async () => {
    const { withdrawResult } = await graph.mutate('withdraw', wish, key).catch((error: unknown) => {
      if (error instanceof FailureError && !isUnknown(error.failure)) onRefused();
      throw error;
    });
    if (withdrawResult?.__typename === 'InputErrors') {
      onRefused();
      // The errors stand at the fields of the form, not in front of them.
      if (withdrawResult.details.length > 0) onClose();
    }
    const { fee, asset, status, approvalsNeeded } = accepted(withdrawResult);
    const state = waitsForHouse(status, approvalsNeeded)
      ? text.waitsForHouse('0', decimal(approvalsNeeded))
      : text.withdrawalStates[status];
    onClose();
    onDone(text.withdrawn(`${exact(fee)} ${asset}`, state));
  };
  return (
    <Dialog title={text.confirmTitle} isOpen onClose={onClose}>
      <FailureNotice failure={action.failure} />
      <Facts
        items={[
          [order.amount, `${exact(wish.amount, decimalsOf(via?.fee ?? ''))} ${wish.asset}`],
          ...(via === undefined
            ? []
            : ([
                [order.fee, `${exact(via.fee)} ${wish.asset}`],
                [text.debited, `${exact(sumOf([wish.amount, via.fee]))} ${wish.asset}`],
                [text.arrival, mustWait ? text.afterApproval : arrivalOf(via)],
              ] as const)),
          [words.network, wordOf(text.networks, wish.network)],
          [wordOf(text.addresses, wish.network), wish.address],
        ]}
      />
      <p className="muted">{text.confirmText}</p>
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
        <Button kind="main" isBusy={action.isBusy} onPress={() => void action.run(withdraw)}>
          {text.withdraw}
        </Button>
      </div>
    </Dialog>
  );
}
