import { useState } from 'react';
import { Facts, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { TextInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { decimal } from '../frame/language.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import { ActDialog } from './act-dialog.js';
import type { CompanyPart } from './company-part.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

/** What limits the withdrawals of a company: amounts in 24 hours, and a list of addresses. */
export function CompanyWithdrawals({ company, mayAct, open, onDone }: CompanyPart) {
  const { companies: text } = operatorTexts.get();
  const { id, requiresWithdrawalList: isRequired, withdrawalLimits } = company;
  const setLimit = (currency: string, daily: string) => {
    open((close) => (
      <SetLimit
        companyId={id}
        currency={currency}
        daily={daily}
        onClose={close}
        onDone={() => {
          close();
          onDone(text.limitSet);
        }}
      />
    ));
  };
  return (
    <Section id="withdrawals" title={text.withdrawals}>
      <Facts items={[[text.addresses, isRequired ? text.onlyListed : text.anyAddresses]]} />
      {mayAct ? (
        <div className="row">
          <ListRule company={company} open={open} onDone={onDone} />
          <Button onPress={() => setLimit('', '')}>{text.setLimit}</Button>
        </div>
      ) : null}
      <Table
        caption={text.limits}
        rows={withdrawalLimits}
        keyOf={({ currency }) => currency}
        empty={text.noLimits}
        columns={[
          { label: text.currency, kind: 'nowrap', cell: ({ currency }) => currency },
          { label: text.daily, kind: 'number', cell: ({ daily }) => decimal(daily) },
          {
            label: text.acts,
            cell: ({ currency, daily }) =>
              mayAct ? (
                <Button label={`${text.change} ${currency}`} onPress={() => setLimit(currency, daily)}>
                  {text.change}
                </Button>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

/** Requires the list of addresses, or does without it. */
function ListRule({ company, open, onDone }: Pick<CompanyPart, 'company' | 'open' | 'onDone'>) {
  const { companies: text } = operatorTexts.get();
  const { id, requiresWithdrawalList: isRequired } = company;
  const act = isRequired ? text.anyAddress : text.onlyList;
  return (
    <Button
      onPress={() => {
        open((close) => (
          <ActDialog
            title={act}
            act={act}
            onClose={close}
            run={() => graph.mutate('requireWithdrawalList', { companyId: id, required: !isRequired })}
            onDone={() => {
              close();
              onDone(isRequired ? text.anyAddresses : text.onlyListed);
            }}
          >
            <p>{isRequired ? text.anyAddressText : text.onlyListText}</p>
          </ActDialog>
        ));
      }}
    >
      {act}
    </Button>
  );
}

function SetLimit(props: {
  readonly companyId: string;
  /** Empty where it is to be chosen. */
  readonly currency: string;
  readonly daily: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { companyId, daily, onClose, onDone } = props;
  const { companies: text } = operatorTexts.get();
  const [typed, setTyped] = useState(props.currency);
  const currency = typed.trim().toUpperCase();
  return (
    <ActDialog
      title={text.setLimit}
      act={text.save}
      fields={['currency', 'daily']}
      onClose={onClose}
      run={(values) =>
        graph.mutate('setWithdrawalLimit', {
          companyId,
          currency,
          daily: numberOf(values, 'daily', currency),
        })
      }
      onDone={onDone}
    >
      <TextInput
        name="currency"
        label={text.currency}
        hint={text.currencyHint}
        value={typed}
        onChange={setTyped}
        isReadOnly={props.currency !== ''}
        maxLength={12}
        autoComplete="off"
        isRequired
      />
      <NumberInput name="daily" label={text.daily} hint={text.dailyHint} unit={currency} defaultValue={daily} />
    </ActDialog>
  );
}
