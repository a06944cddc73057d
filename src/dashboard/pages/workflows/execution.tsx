export function Execution() {
  return null
}
