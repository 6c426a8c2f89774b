import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { readWholeAudit, type AuditFilter } from '../../api/audit.ts';
import { failureMessage } from '../../api/client/failure.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/controls/button.tsx';
import { saveFile } from '../../components/feedback/secret-once.tsx';
import { toast } from '../../components/feedback/toast.tsx';
import { number } from '../../words/time.ts';
import { csvOf } from './audit-csv.ts';
import { hasText } from './audit-text.ts';

const mostEntries = 10_000;

export interface ExportButtonProps {
  filter: AuditFilter;
  /** Searched in the loaded entries, because the API has no text search. */
  text: string;
  names: Record<string, string>;
}

/** Exports all entries that match the filter, including those not loaded yet. */
export function ExportButton({ filter, text, names }: ExportButtonProps) {
  const environment = useEnvironment();
  const save = useMutation({
    mutationFn: () => readWholeAudit(environment, filter, mostEntries),
    onSuccess: ({ entries, isWhole }) => {
      const matches = text === '' ? entries : entries.filter((entry) => hasText(entry, text));
      saveFile({ name: `audit-${environment}.csv`, text: csvOf(matches, names) });
      toast(
        isWhole
          ? `Exported ${matches.length === 1 ? '1 entry' : `${number(matches.length)} entries`}`
          : `Exported the newest ${number(matches.length)} entries. Choose fewer days to export the rest.`,
      );
    },
    onError: (error) => toast(failureMessage(error), { failed: true }),
  });
  return (
    <Button isPending={save.isPending} onPress={() => save.mutate()}>
      <Download size={14} aria-hidden />
      Export CSV
    </Button>
  );
}
