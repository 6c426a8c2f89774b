/** Why a provider app cannot be saved or removed, with the next step for the operator. */
export class AppProblem extends Error {
  override name = 'AppProblem';
}
