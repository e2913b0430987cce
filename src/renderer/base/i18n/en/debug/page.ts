export const debugPageStrings = {
  "debug.title": "Debug",
  "debug.tabs": "What to look at",
  "debug.tab.tree": "Tree",
};
