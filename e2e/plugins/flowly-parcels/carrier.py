def where_is(number):
    return "the depot" if number.startswith("AB") else "on its way"
