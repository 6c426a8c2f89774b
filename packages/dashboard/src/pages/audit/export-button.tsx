import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { readWholeAudit, type AuditFilter } from '../../api/audit.ts';
import { sayFailure } from '../../api/failure.ts';
import { useEnvironment } from '../../app/environment.ts';
import { Button } from '../../components/button.tsx';
import { saveFile } from '../../components/secret-once.tsx';
import { toast } from '../../components/toast.tsx';
import { number } from '../../words/time.ts';
import { csvOf } from './audit-csv.ts';
import { hasText } from './audit-text.ts';

const mostEntries = 10_000;

export interface ExportButtonProps {
  filter: AuditFilter;
  /** Looked for in what was read, because the API cannot. */
  text: string;
  names: Record<string, string>;
}

/** Saves what the filter finds, also what is not loaded yet. */
export function ExportButton({ filter, text, names }: ExportButtonProps) {
  const environment = useEnvironment();
  const save = useMutation({
    mutationFn: () => readWholeAudit(environment, filter, mostEntries),
    onSuccess: ({ entries, isWhole }) => {
      const kept = text === '' ? entries : entries.filter((entry) => hasText(entry, text));
      saveFile({ name: `audit-${environment}.csv`, text: csvOf(kept, names) });
      toast(
        isWhole
          ? `${number(kept.length)} entries saved`
          : `The newest ${number(kept.length)} saved; choose fewer days for the rest`,
      );
    },
    onError: (error) => toast(sayFailure(error), { failed: true }),
  });
  return (
    <Button isPending={save.isPending} onPress={() => save.mutate()}>
      <Download size={14} aria-hidden />
      Export CSV
    </Button>
  );
}
