import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { decimal } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import { saveFile } from '../frame/save-file.js';
import { useAction } from '../frame/use-graph.js';
import { auditFormats, readAuditFile, type AuditFormat, type Exported } from './audit-file.js';
import type { filterOf } from './audit-filter.js';
import { operatorTexts } from './texts.js';

const typeOf = { CSV: 'csv', JSONL: 'jsonl' } as const satisfies Record<AuditFormat, string>;

/** Saves the filtered log as a file. */
export function AuditExport({ filter }: { readonly filter: ReturnType<typeof filterOf> }) {
  const { audit: text } = operatorTexts.get();
  const action = useAction();
  const [read, setRead] = useState<Exported>();
  const download = async (format: AuditFormat) => {
    setRead(undefined);
    const parts = await readAuditFile(filter, format, setRead);
    saveFile(`${text.fileName}.${typeOf[format]}`, parts, typeOf[format]);
  };
  return (
    <>
      <div className="row">
        {auditFormats.map((format) => (
          <Button
            key={format}
            isBusy={action.isBusy}
            onPress={() => {
              void action.run(() => download(format));
            }}
          >
            {text.download(text.formats[format])}
          </Button>
        ))}
      </div>
      <FailureNotice failure={action.failure} />
      {read === undefined || action.failure !== undefined ? null : (
        <p role="status" className="muted">
          {action.isBusy ? text.exporting(decimal(read.done), decimal(read.total)) : text.exported(decimal(read.done))}
        </p>
      )}
    </>
  );
}
