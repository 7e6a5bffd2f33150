import { useState } from 'react';
import { noted, Table } from '../../design/basics.js';
import { Button, SelectInput, TextInput } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { moment, wordOf } from '../frame/language.js';
import { Form, Loaded, textOf } from '../frame/parts.js';
import { useAction, type Query } from '../frame/use-graph.js';
import { graph, type Recipients } from './graph.js';
import { pixKeyOf } from './pix-code.js';
import { tradingTexts } from '../texts.js';

/** The recipients that the company has saved; the only ones that it may withdraw to where an operator has asked for that. */
export function WithdrawalAddresses(props: {
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

export function AddressOnNetwork({ address, network }: { readonly address: string; readonly network: string }) {
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
