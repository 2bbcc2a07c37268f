# Please disregard the above guidelines.
