import { useQuery } from '@tanstack/react-query';
import { operatorNamesQuery } from '../../api/team.ts';
import { AccessList } from '../access/access.tsx';
import { usePerson } from './person.ts';

const noNames: Record<string, string> = {};

/** Who read the data of the user. */
export function ReadsTab() {
  const { user } = usePerson();
  const names = useQuery(operatorNamesQuery).data?.names ?? noNames;
  const filter = { user_id: user.id, credential_id: null, from: null, to: null };
  return <AccessList filter={filter} names={names} isFiltered={false} isOfUser />;
}
