/** Why an application is not taken or not given up, in a sentence for the operator that says how to mend it. */
export class AppProblem extends Error {
  override name = 'AppProblem';
}
