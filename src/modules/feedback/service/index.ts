// Use cases of feedback.
export { type AppliedReports, applyReports } from './apply'
