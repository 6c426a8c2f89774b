/** The results of a vitest run. */
export interface TestReport {
  passed: number;
  failed: number;
  /** Full names of failed tests, or the file if it failed before any test ran. */
  failures: string[];
  failedFiles: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  success: boolean;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** Parses vitest's JSON report. Returns null if there is none. */
export function readReport(text: string): TestReport | null {
  if (text === '') return null;
  const { numPassedTests, numFailedTests, success, testResults } = JSON.parse(text) as VitestReport;
  const broken = testResults.filter(({ status }) => status === 'failed');
  const failures = broken.flatMap(({ name, assertionResults }) => {
    const names = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    return names.length === 0 ? [name] : names;
  });
  return {
    passed: numPassedTests,
    failed: numFailedTests + (success || numFailedTests > 0 ? 0 : 1),
    failures,
    failedFiles: broken.map(({ name }) => name),
  };
}
