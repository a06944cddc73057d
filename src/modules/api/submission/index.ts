// What others may use of submission. Loaded only where SMTP_LISTEN is set: what is not used costs neither memory nor time.
export { startSubmission } from './submission'
