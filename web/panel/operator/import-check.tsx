import { Section, Stats } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Table, type Column } from '../../design/table.js';
import { detailText } from '../frame/failure.js';
import { decimal } from '../frame/language.js';
import { Said } from '../frame/parts.js';
import type { Operations } from './graph/operations.js';
import { ChangesTable } from './import-changes.js';
import { ImportCounts } from './import-counts.js';
import { operatorTexts } from './texts.js';

/** What an import would do. */
export type ImportCheck = NonNullable<Operations['checkImport']['data']['checkImport']>;

type FileError = ImportCheck['errors'][number];

/** Every error of the files by its place, or what would change, and the button that imports them. */
export function ImportCheckResult(props: {
  readonly check: ImportCheck;
  readonly isBusy: boolean;
  readonly onImport: () => void;
}) {
  const { check, isBusy, onImport } = props;
  const { imports: text } = operatorTexts.get();
  const { accepted, needsReason, errorCount, errors, counts, changeCount, changes } = check;
  return (
    <Section id="check" title={text.result}>
      <div className={accepted ? 'notice good' : 'notice bad'} role="status">
        <p>{accepted ? (changeCount === 0 ? text.nothingNew : text.accepted) : text.refused}</p>
        {needsReason ? <p>{text.needsReason}</p> : null}
      </div>
      <Stats
        items={[
          { label: text.errorCount, value: decimal(errorCount) },
          { label: text.records, value: decimal(changeCount) },
        ]}
      />
      {accepted && changeCount > 0 ? (
        <div className="row">
          <Button kind="main" isBusy={isBusy} onPress={onImport}>
            {text.importNow}
          </Button>
        </div>
      ) : null}
      {accepted ? (
        <>
          <h3>{text.counts}</h3>
          <ImportCounts counts={counts} />
          <h3>{text.changes}</h3>
          <ChangesTable records={changes} />
          {changeCount > changes.length ? (
            <p className="muted">{text.firstOf(decimal(changes.length), decimal(changeCount))}</p>
          ) : null}
        </>
      ) : (
        <>
          <Table
            caption={text.errors}
            rows={errors.map((error, at) => ({ ...error, at }))}
            keyOf={({ at }) => String(at)}
            empty=""
            columns={errorColumns()}
          />
          {errorCount > errors.length ? (
            <p className="muted">{text.firstOf(decimal(errors.length), decimal(errorCount))}</p>
          ) : null}
        </>
      )}
    </Section>
  );
}

function errorColumns(): readonly Column<FileError>[] {
  const { imports: text } = operatorTexts.get();
  return [
    { label: text.file, kind: 'nowrap', cell: ({ file }) => file },
    { label: text.line, kind: 'number', cell: ({ line }) => (line === 0 ? '—' : decimal(line)) },
    {
      label: text.field,
      kind: 'nowrap',
      cell: ({ field, column }) =>
        field === null ? (
          '—'
        ) : (
          <>
            <code>{field}</code>
            {column === null ? null : (
              <span className="sub">
                {text.column} {decimal(column)}
              </span>
            )}
          </>
        ),
    },
    { label: text.value, kind: 'nowrap', cell: ({ value }) => (value === null ? '—' : <code>{value}</code>) },
    {
      label: text.rule,
      kind: 'wide',
      cell: (error) => (
        <>
          <Said text={detailText({ path: '', ...error })} />
          <span className="sub">
            <code>{error.rule}</code>
          </span>
        </>
      ),
    },
  ];
}
