import { useRef, useState } from 'react';
import { Facts } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { ConfirmDialog } from '../../design/controls/dialog.js';
import { Check, SelectInput, TextInput } from '../../design/controls/fields.js';
import { accepted, FailureError, isUnknown } from '../frame/failure.js';
import { decimal } from '../frame/language.js';
import { Form, FailureNotice, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, type Action } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { tradingTexts } from './texts.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import type { Wallet } from './wallet.js';

type Wish = Operations['withdraw']['variables'];

/** A withdrawal that waits for a confirmation, with the key under which it is made once. */
interface Asked {
  readonly wish: Wish;
  readonly key: string;
}

const fields = ['amount', 'address', 'network', 'beneficiaryName', 'beneficiaryTaxId', 'selfCustody'];

/** Asks for a withdrawal, shows it once more, and makes it: once, however often the button is pressed. */
export function WithdrawForm(props: {
  readonly wallet: Wallet;
  readonly asset: string;
  readonly networks: readonly string[];
  readonly onDone: (said: string) => void;
}) {
  const { wallet, asset, networks, onDone } = props;
  const { transfers: text } = tradingTexts.get();
  const action = useAction();
  const [network, setNetwork] = useState(networks[0] ?? '');
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
        label={text.withdrawTitle}
        onSubmit={(values) => {
          const optional = (name: string) => textOf(values, name).trim() || null;
          const wish = {
            ...wallet,
            asset,
            network,
            amount: numberOf(values, 'amount', asset) ?? '',
            address: textOf(values, 'address').trim(),
            beneficiaryName: optional('beneficiaryName'),
            beneficiaryTaxId: optional('beneficiaryTaxId'),
            selfCustody: isOwn ? true : null,
          };
          const isSame = JSON.stringify(wish) === JSON.stringify(latest.current?.wish);
          latest.current = { wish, key: (isSame ? latest.current?.key : undefined) ?? crypto.randomUUID() };
          action.clear();
          setAsked(latest.current);
        }}
      >
        <Fields asset={asset} networks={networks} network={network} onNetwork={setNetwork} />
        <Check isSelected={isOwn} onChange={setOwn}>
          {text.selfCustody}
        </Check>
        <div className="acts">
          <Button type="submit" kind="main">
            {text.withdraw}
          </Button>
        </div>
      </Form>
      {asked === undefined ? null : (
        <Confirm
          asked={asked}
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

/** What is typed of a withdrawal. */
function Fields(props: {
  readonly asset: string;
  readonly networks: readonly string[];
  readonly network: string;
  readonly onNetwork: (network: string) => void;
}) {
  const { asset, networks, network, onNetwork } = props;
  const { transfers: text } = tradingTexts.get();
  return (
    <>
      <SelectInput
        name="network"
        label={text.network}
        value={network}
        onChange={onNetwork}
        options={networks.map((value) => ({ value, text: value }))}
      />
      <NumberInput name="amount" label={`${text.amount} (${asset})`} hint={text.amountHint} unit={asset} isRequired />
      <TextInput name="address" label={text.to} hint={text.toHint} autoComplete="off" maxLength={200} isRequired />
      <TextInput name="beneficiaryName" label={text.beneficiary} hint={text.travelRule} maxLength={200} />
      <TextInput name="beneficiaryTaxId" label={text.taxId} maxLength={20} autoComplete="off" />
    </>
  );
}

function Confirm(props: {
  readonly asked: Asked;
  readonly action: Action;
  readonly onClose: () => void;
  /** Called when it is known that nothing was withdrawn: another try is another act. */
  readonly onRefused: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { asked, action, onClose, onRefused, onDone } = props;
  const { wish, key } = asked;
  const { transfers: text } = tradingTexts.get();
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
    const { fee, asset, status } = accepted(withdrawResult);
    onClose();
    onDone(text.withdrawn(`${decimal(fee)} ${asset}`, text.withdrawalStates[status]));
  };
  return (
    <ConfirmDialog
      title={text.confirmTitle}
      isOpen
      onClose={onClose}
      act={text.withdraw}
      kind="main"
      cancel={frameTexts.get().cancel}
      isBusy={action.isBusy}
      onConfirm={() => void action.run(withdraw)}
      problem={<FailureNotice failure={action.failure} />}
    >
      <Facts
        items={[
          [text.amount, `${decimal(wish.amount)} ${wish.asset}`],
          [text.network, wish.network],
          [text.to, wish.address],
        ]}
      />
      <p className="muted">{text.confirmText}</p>
    </ConfirmDialog>
  );
}
