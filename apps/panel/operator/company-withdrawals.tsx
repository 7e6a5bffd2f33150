import { useState } from 'react';
import { Facts, Section } from '../../design/basics.js';
import { TextInput } from '../../design/controls/fields.js';
import { Table } from '../../design/table.js';
import { ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { decimal } from '../frame/language.js';
import { NumberInput, numberOf } from '../frame/number-input.js';
import type { CompanyPart } from './company-fields.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

/** What limits the withdrawals of a company: amounts in 24 hours, and a list of addresses. */
export function CompanyWithdrawals({ company, mayAct, onDone }: CompanyPart) {
  const { companies: text } = operatorTexts.get();
  const { id, requiresWithdrawalList: isRequired, withdrawalLimits } = company;
  const onLimitSet = () => {
    onDone(text.limitSet);
  };
  return (
    <Section id="withdrawals" title={text.withdrawals}>
      <Facts items={[[text.addresses, isRequired ? text.onlyListed : text.anyAddresses]]} />
      {mayAct ? (
        <div className="row">
          <ListRule company={company} onDone={onDone} />
          <DialogButton act={text.setLimit} onDone={onLimitSet}>
            {(ending) => <SetLimit companyId={id} currency="" daily="" {...ending} />}
          </DialogButton>
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
                <DialogButton label={`${text.change} ${currency}`} act={text.change} onDone={onLimitSet}>
                  {(ending) => <SetLimit companyId={id} currency={currency} daily={daily} {...ending} />}
                </DialogButton>
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

/** Requires the list of addresses, or does without it. */
function ListRule({ company, onDone }: Pick<CompanyPart, 'company' | 'onDone'>) {
  const { companies: text } = operatorTexts.get();
  const { id, requiresWithdrawalList: isRequired } = company;
  const act = isRequired ? text.anyAddress : text.onlyList;
  return (
    <DialogButton act={act} onDone={() => onDone(isRequired ? text.anyAddresses : text.onlyListed)}>
      {(ending) => (
        <ActDialog
          title={act}
          act={act}
          run={() => graph.mutate('requireWithdrawalList', { companyId: id, required: !isRequired })}
          {...ending}
        >
          <p>{isRequired ? text.anyAddressText : text.onlyListText}</p>
        </ActDialog>
      )}
    </DialogButton>
  );
}

function SetLimit(
  props: Ending & {
    readonly companyId: string;
    /** Empty where it is to be chosen. */
    readonly currency: string;
    readonly daily: string;
  },
) {
  const { companyId, currency: known, daily, ...ending } = props;
  const { companies: text } = operatorTexts.get();
  const [typed, setTyped] = useState(known);
  const currency = typed.trim().toUpperCase();
  return (
    <ActDialog
      title={text.setLimit}
      act={text.save}
      fields={['currency', 'daily']}
      run={(values) =>
        graph.mutate('setWithdrawalLimit', {
          companyId,
          currency,
          daily: numberOf(values, 'daily', currency),
        })
      }
      {...ending}
    >
      <TextInput
        name="currency"
        label={text.currency}
        hint={text.currencyHint}
        value={typed}
        onChange={setTyped}
        isReadOnly={known !== ''}
        maxLength={12}
        autoComplete="off"
        isRequired
      />
      <NumberInput name="daily" label={text.daily} hint={text.dailyHint} unit={currency} defaultValue={daily} />
    </ActDialog>
  );
}
